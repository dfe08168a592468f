import type {RunState} from '../../../src/core/run/run-state.ts'
import {escapeControls} from '../../../src/core/text/text.ts'
import {Todo} from '../cards/todo.tsx'
import todo from '../cards/todo.module.css'
import {classNames} from '../ui/class-names.ts'
import common from '../ui/common.module.css'
import {countDone} from '../ui/plan-segments.tsx'
import {formatCount, formatElapsed, formatTime} from '../ui/figures.ts'
import {Icon} from '../ui/icon.tsx'
import {SectionHead} from '../ui/section-head.tsx'
import styles from './plan-panel.module.css'

/** The plan, the sub-agents as a tree, and background tasks. */
export function PlanPanel({state, now}: {state: RunState; now: number}) {
  const {plan, subAgents, openTasks} = state
  const done = subAgents.filter(({ok}) => ok !== undefined).length
  if (plan.length === 0 && subAgents.length === 0 && openTasks.length === 0) {
    return <p className={common.empty}>No plan, sub-agents or background tasks</p>
  }
  return (
    <>
      {plan.length > 0 && (
        <>
          <SectionHead title="Plan" fact={`${countDone(plan)} of ${plan.length} done`} />
          <div className={styles.body}>
            <Todo items={plan} />
          </div>
        </>
      )}
      {subAgents.length > 0 && (
        <>
          <SectionHead title="Sub-agents" fact={`${done} of ${subAgents.length} done`} />
          <ul className={styles.body}>
            {subAgents.map(
              ({toolId, parentToolId, summary, ok, durationMs, startedAt, toolCount}) => (
                <li
                  key={toolId}
                  className={classNames(todo.item, parentToolId !== undefined && styles.isNested)}
                >
                  <Icon name="task" />
                  <span className={todo.text}>
                    {escapeControls(summary) || 'Sub-agent'}
                    {ok === false && <span className={common.failed}> failed</span>}
                    <br />
                    <small className={classNames(common.muted, common.tabular)}>
                      {formatCount(toolCount, 'tool')} ·{' '}
                      {ok === undefined
                        ? `${formatElapsed(now - startedAt)}, running`
                        : formatTime(durationMs ?? 0)}
                    </small>
                  </span>
                </li>
              ),
            )}
          </ul>
        </>
      )}
      {openTasks.length > 0 && (
        <>
          <SectionHead title="In the background" fact={`${openTasks.length} running`} />
          <ul className={styles.body}>
            {openTasks.map(({taskId, description, startedAt}) => (
              <li key={taskId} className={todo.item}>
                <Icon name="hourglass" />
                <span className={todo.text}>
                  <span className={common.mono}>{escapeControls(description)}</span>
                  <br />
                  <small className={classNames(common.muted, common.tabular)}>
                    {formatElapsed(now - startedAt)}
                  </small>
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}
