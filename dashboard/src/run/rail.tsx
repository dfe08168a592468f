import type {RunSummary} from '../../../src/core/run/run-summary.ts'
import {escapeControls} from '../../../src/core/text/text.ts'
import {useRunList} from '../hub/hub.tsx'
import {Link} from '../shell/link.tsx'
import {useNow} from '../shell/now.ts'
import {pathOfRun} from '../shell/router.ts'
import {Icon} from '../ui/icon.tsx'
import {describeState, needsPerson, type Tone} from '../ui/state.ts'
import {WhyText} from '../ui/why-text.tsx'
import {explainState} from '../ui/why.ts'

/** So many runs that are over fit beside one. */
const MOST_ENDED = 12

/** The other runs, beside the one that is looked at. */
export function Rail({runId}: {runId: string}) {
  const {runs} = useRunList()
  const all = [...runs.values()].toSorted((one, other) => other.startedAt - one.startedAt)
  const live = all.filter(({state}) => state !== 'over')
  const groups = [
    ['Needs you', live.filter(needsPerson)],
    ['Live', live.filter((run) => !needsPerson(run))],
    ['Ended', all.filter(({state}) => state === 'over').slice(0, MOST_ENDED)],
  ] as const
  return (
    <nav className="rail" aria-label="Runs">
      {groups.map(
        ([title, list]) =>
          list.length > 0 && (
            <section key={title}>
              <h2>{title}</h2>
              {list.map((run) => (
                <RailRow key={run.runId} run={run} isHere={run.runId === runId} />
              ))}
            </section>
          ),
      )}
    </nav>
  )
}

function RailRow({run, isHere}: {run: RunSummary; isHere: boolean}) {
  const now = useNow()
  const {tone, icon} = describeState(run)
  const [first] = explainState(run, now)
  return (
    <Link
      className={isHere ? 'on' : ''}
      href={pathOfRun(run.runId)}
      {...(isHere && {'aria-current': 'page' as const})}
    >
      <span className={COLOURS[tone]}>
        {icon === 'live' ? <span className="live" /> : <Icon name={icon} />}
      </span>
      <b className="cut">{escapeControls(run.title)}</b>
      <small className="cut num">
        <WhyText parts={first} />
      </small>
    </Link>
  )
}

const COLOURS: Readonly<Record<Tone, string>> = {
  run: 'c-run',
  wait: 'c-wait',
  ok: 'c-ok',
  bad: 'c-bad',
  idle: 'c-idle',
  you: 'c-wait',
  stuck: 'c-bad',
}
