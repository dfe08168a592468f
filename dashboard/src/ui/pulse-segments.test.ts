import {describe, expect, test} from 'vitest'
import {makeRun} from '../../test/make-run.ts'
import {describePulse, hasPulse, pulseOf, toPulseDrawing} from './pulse-segments.ts'

describe('a pulse', () => {
  test('aligns a live run to the right edge', () => {
    expect(toPulseDrawing('mmr', true)).toEqual({
      slots: 120,
      segments: [
        {start: 117, length: 2, kind: 'model', hasFailed: false},
        {start: 119, length: 1, kind: 'shell', hasFailed: false},
      ],
    })
  })

  test('stretches an ended run to the full width', () => {
    expect(toPulseDrawing('l..cc', false)).toEqual({
      slots: 5,
      segments: [
        {start: 0, length: 1, kind: 'read', hasFailed: false},
        {start: 3, length: 2, kind: 'edit', hasFailed: false},
      ],
    })
    expect(toPulseDrawing('', false)).toEqual({slots: 1, segments: []})
  })

  test('ends a segment at a failure', () => {
    expect(toPulseDrawing('rrRrw', false).segments).toEqual([
      {start: 0, length: 3, kind: 'shell', hasFailed: true},
      {start: 3, length: 1, kind: 'shell', hasFailed: false},
      {start: 4, length: 1, kind: 'wait', hasFailed: false},
    ])
  })

  test('separates segments of the same kind at an empty slot', () => {
    expect(toPulseDrawing('x.xho?', false).segments.map(({kind}) => kind)).toEqual([
      'web',
      'web',
      'agent',
      'note',
    ])
  })

  test('has a text description', () => {
    expect(describePulse(toPulseDrawing('mmrRw', true))).toBe(
      'Activity: Model, Run, Wait; 1 failed',
    )
    expect(describePulse(toPulseDrawing('...', true))).toBe('No activity')
  })

  test('is empty when the hub does not send it', () => {
    expect(pulseOf(makeRun())).toBe('')
    expect([undefined, '..', '.m'].map((pulse) => hasPulse(makeRun({pulse})))).toEqual([
      false,
      false,
      true,
    ])
    expect(pulseOf(makeRun({pulse: `l${'m'.repeat(120)}`}))).toBe('m'.repeat(120))
  })
})
