import type {RefObject} from 'react'
import {announce} from '../shell/announce.tsx'
import {useCommands} from '../shell/commands.ts'
import {useKeys} from '../shell/keys.ts'
import type {TimelineActions} from '../timeline/timeline.tsx'
import {FIND_RECORDS} from './raw-panel.tsx'
import type {RunViewModel} from './use-run-view.ts'

/** Registers the keys and palette commands of the run page. */
export function useRunKeys(model: RunViewModel, timeline: RefObject<TimelineActions | null>): void {
  const {view, change, canReplay} = model
  const {until, selected, isPanelOpen, isPlaying} = view
  useKeys('Run', {
    j: {
      words: 'next entry',
      hint: 'move',
      also: ['ArrowDown'],
      canRepeat: true,
      act: () => model.step(1),
    },
    k: {
      words: 'previous entry',
      hint: 'move',
      also: ['ArrowUp'],
      canRepeat: true,
      act: () => model.step(-1),
    },
    Enter: {words: 'open or fold', hint: 'open', act: () => model.toggleSelected()},
    l: {words: 'unfold', act: () => model.toggleSelected(true)},
    h: {words: 'fold', act: () => model.toggleSelected(false)},
    e: {words: 'next error', hint: 'next error', act: () => model.goToError(1)},
    E: {words: 'previous error', act: () => model.goToError(-1)},
    f: {
      words: 'follow live',
      hint: 'follow',
      act: () => change({isFollowing: true, phoneTab: 'feed'}),
    },
    '1': {words: 'files', hint: 'panel', act: () => model.showTab('files')},
    '2': {words: 'plan', hint: 'panel', act: () => model.showTab('plan')},
    '3': {words: 'stats', hint: 'panel', act: () => model.showTab('stats')},
    '4': {words: 'raw record of the selection', hint: 'panel', act: model.showRaw},
    '+': {words: 'zoom in', hint: 'zoom', also: ['='], act: () => timeline.current?.zoomIn()},
    '-': {words: 'zoom out', hint: 'zoom', act: () => timeline.current?.zoomOut()},
    '0': {words: 'fit the timeline', act: () => timeline.current?.fit()},
    '/': {words: 'find a record', hint: 'search', act: findRecord},
    y: {words: 'copy link', act: copyLink},
    Escape: {words: 'close the panel, end the replay, select nothing', act: leave},
    ...(canReplay && {
      ' ': {
        words: 'play or pause a replay',
        act: () => (until === undefined ? model.replay() : model.play(!isPlaying)),
      },
      ',': {words: 'replay slower', act: () => model.changeSpeed(-1)},
      '.': {words: 'replay faster', act: () => model.changeSpeed(1)},
    }),
  })
  useCommands('This run', [
    {
      id: 'error',
      title: 'Go to next error',
      icon: 'stuck',
      keys: 'e',
      run: () => void model.goToError(1),
    },
    {
      id: 'files',
      title: 'Show files and diffs',
      icon: 'files',
      keys: '1',
      run: () => model.showTab('files'),
    },
    {
      id: 'plan',
      title: 'Show plan and sub-agents',
      icon: 'plan',
      keys: '2',
      run: () => model.showTab('plan'),
    },
    {
      id: 'stats',
      title: 'Show figures',
      icon: 'chart',
      keys: '3',
      run: () => model.showTab('stats'),
    },
    {id: 'raw', title: 'Show raw record of selection', icon: 'raw', keys: '4', run: model.showRaw},
    {
      id: 'follow',
      title: 'Follow live',
      icon: 'down',
      keys: 'f',
      run: () => change({isFollowing: true}),
    },
    ...(canReplay
      ? [
          {
            id: 'replay',
            title: until === undefined ? 'Replay' : 'End replay',
            icon: 'play' as const,
            run: model.replay,
          },
        ]
      : []),
  ])

  function findRecord(): void {
    model.showTab('raw')
    // The panel is not mounted yet.
    requestAnimationFrame(() => document.getElementById(FIND_RECORDS)?.focus())
  }

  function leave(): boolean {
    if (isPanelOpen) change({isPanelOpen: false})
    else if (until !== undefined) change({until: undefined, isPlaying: false})
    else if (selected !== undefined) change({selected: undefined})
    else return false
    return true
  }
}

function copyLink(): void {
  void navigator.clipboard.writeText(location.href).then(() => announce('Link copied'))
}
