import type {RefObject} from 'react'
import {announce} from '../shell/announce.tsx'
import {useCommands} from '../shell/commands.ts'
import {useKeys} from '../shell/keys.ts'
import type {TimelineActions} from '../timeline/timeline.tsx'
import {FIND_RECORDS} from './raw-panel.tsx'
import type {RunActions} from './run-context.ts'
import type {Panels} from './use-panels.ts'
import type {Replay} from './use-replay.ts'
import type {Selection} from './use-selection.ts'

/** Defines the keys and palette commands of the run page. */
export function useRunKeys(
  actions: RunActions,
  {
    timeline,
    panels: {isPanelOpen},
    replay: {until, isPlaying},
    selection: {selected},
    onReplay,
  }: {
    timeline: RefObject<TimelineActions | null>
    panels: Panels
    replay: Replay
    selection: Selection
    /** Starts or ends a replay. */
    onReplay: (() => void) | undefined
  },
): void {
  useKeys('Run', {
    j: {
      words: 'next entry',
      hint: 'move',
      also: ['ArrowDown'],
      canRepeat: true,
      act: () => actions.step(1),
    },
    k: {
      words: 'previous entry',
      hint: 'move',
      also: ['ArrowUp'],
      canRepeat: true,
      act: () => actions.step(-1),
    },
    Enter: {words: 'expand or collapse', hint: 'open', act: () => actions.toggleSelected()},
    l: {words: 'expand', act: () => actions.toggleSelected(true)},
    h: {words: 'collapse', act: () => actions.toggleSelected(false)},
    e: {words: 'next error', hint: 'next error', act: () => actions.goToError(1)},
    E: {words: 'previous error', act: () => actions.goToError(-1)},
    f: {
      words: 'follow live',
      hint: 'follow',
      act: followLive,
    },
    '1': {words: 'files', hint: 'panel', act: () => actions.showTab('files')},
    '2': {words: 'plan', hint: 'panel', act: () => actions.showTab('plan')},
    '3': {words: 'stats', hint: 'panel', act: () => actions.showTab('stats')},
    '4': {words: 'raw record of the selection', hint: 'panel', act: showSelectedRecord},
    '+': {words: 'zoom in', hint: 'zoom', also: ['='], act: () => timeline.current?.zoomIn()},
    '-': {words: 'zoom out', hint: 'zoom', act: () => timeline.current?.zoomOut()},
    '0': {words: 'fit the timeline', act: () => timeline.current?.fit()},
    '/': {words: 'find a record', hint: 'search', act: findRecord},
    y: {words: 'copy link', act: copyLink},
    Escape: {words: 'close the panel, end the replay, clear the selection', act: leave},
    ...(onReplay !== undefined && {
      ' ': {
        words: 'play or pause a replay',
        act: () => (until === undefined ? onReplay() : actions.play(!isPlaying)),
      },
      ',': {words: 'replay slower', act: () => actions.changeSpeed(-1)},
      '.': {words: 'replay faster', act: () => actions.changeSpeed(1)},
    }),
  })
  useCommands('This run', [
    {
      id: 'error',
      title: 'Go to next error',
      icon: 'stuck',
      keys: 'e',
      run: () => void actions.goToError(1),
    },
    {
      id: 'files',
      title: 'Show files and diffs',
      icon: 'files',
      keys: '1',
      run: () => actions.showTab('files'),
    },
    {
      id: 'plan',
      title: 'Show plan and sub-agents',
      icon: 'plan',
      keys: '2',
      run: () => actions.showTab('plan'),
    },
    {
      id: 'stats',
      title: 'Show stats',
      icon: 'chart',
      keys: '3',
      run: () => actions.showTab('stats'),
    },
    {
      id: 'raw',
      title: 'Show raw record of selection',
      icon: 'raw',
      keys: '4',
      run: showSelectedRecord,
    },
    {
      id: 'follow',
      title: 'Follow live',
      icon: 'down',
      keys: 'f',
      run: () => actions.follow(true),
    },
    ...(onReplay !== undefined
      ? [
          {
            id: 'replay',
            title: until === undefined ? 'Replay' : 'End replay',
            icon: 'play' as const,
            run: onReplay,
          },
        ]
      : []),
  ])

  function followLive(): void {
    actions.follow(true)
    actions.showPhoneTab('feed')
  }

  function showSelectedRecord(): void {
    const line = actions.getSelectedLine() ?? 0
    if (line === 0) actions.showTab('raw')
    else actions.showRecord(line)
  }

  function findRecord(): void {
    actions.showTab('raw')
    // The panel is rendered after this.
    requestAnimationFrame(() => document.getElementById(FIND_RECORDS)?.focus())
  }

  function leave(): boolean {
    if (isPanelOpen) actions.openPanel(false)
    else if (until !== undefined) actions.stopReplay()
    else if (selected !== undefined) actions.deselect()
    else return false
    return true
  }
}

function copyLink(): void {
  void navigator.clipboard.writeText(location.href).then(() => announce('Link copied'))
}
