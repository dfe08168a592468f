import {createContext} from 'react'
import type {RunSource} from './run-source.ts'

/** Hands the run that is looked at to all components below. */
export const SourceContext = createContext<RunSource | undefined>(undefined)
