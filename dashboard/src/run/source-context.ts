import {createContext} from 'react'
import type {RunSource} from './run-source.ts'

/** Hands the run that is looked at to all components below. */
export const SourceContext = createContext<RunSource | undefined>(undefined)

/** What is said in the place of what a file does not hold. */
export const LEFT_OUT = 'It was left out to keep this file small. vitrine export --full has it.'
