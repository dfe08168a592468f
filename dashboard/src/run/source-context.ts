import {createContext} from 'react'
import type {RunSource} from './run-source.ts'

/** Provides the source of the run to all components below. */
export const SourceContext = createContext<RunSource | undefined>(undefined)

/** The text in place of content that a file does not contain. */
export const LEFT_OUT = 'It was left out to keep this file small. vitrine export --full has it.'
