import type {RunState} from '../../../src/core/run/run-state.ts'
import {escapeControls} from '../../../src/core/text/text.ts'
import {Todo} from '../cards/todo.tsx'
import {countDone} from '../ui/plan-segments.tsx'
import {formatElapsed, formatTime} from '../ui/figures.ts'
import {Icon} from '../ui/icon.tsx'

/** The plan as it is, the sub-agents as a tree, and what runs in the background. */
export function PlanPanel({state, now}: {state: RunState; now: number}) {
  const {plan, subAgents, openTasks} = state
  const done = subAgents.filter(({ok}) => ok !== undefined).length
  if (plan.length === 0 && subAgents.length === 0 && openTasks.length === 0) {
    return <p className="none">No plan, no sub-agents, nothing in the background.</p>
  }
  return (
    <>
      {plan.length > 0 && (
        <>
          <div className="st-h">
            <h3>Plan</h3>
            <span className="num">
              {countDone(plan)} of {plan.length} done
            </span>
          </div>
          <div className="st-b">
            <Todo items={plan} />
          </div>
        </>
      )}
      {subAgents.length > 0 && (
        <>
          <div className="st-h">
            <h3>Sub-agents</h3>
            <span className="num">
              {done} of {subAgents.length} done
            </span>
          </div>
          <ul className="todo st-b">
            {subAgents.map(
              ({toolId, parentToolId, summary, ok, durationMs, startedAt, toolCount}) => (
                <li key={toolId} className={parentToolId === undefined ? undefined : 'kid'}>
                  <Icon name="task" />
                  <span className="grow">
                    {escapeControls(summary) || 'Sub-agent'}
                    {ok === false && <span className="x"> failed</span>}
                    <br />
                    <small className="t3 num">
                      {toolCount} {toolCount === 1 ? 'tool' : 'tools'} ·{' '}
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
          <div className="st-h">
            <h3>In the background</h3>
            <span className="num">{openTasks.length} running</span>
          </div>
          <ul className="todo st-b">
            {openTasks.map(({taskId, description, startedAt}) => (
              <li key={taskId}>
                <Icon name="hourglass" />
                <span className="grow">
                  <span className="mono">{escapeControls(description)}</span>
                  <br />
                  <small className="t3 num">{formatElapsed(now - startedAt)}</small>
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}
