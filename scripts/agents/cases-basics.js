// Facts that every list of runs shows: the title, the files, the version of the agent, its model.

/** @import {Case} from './case.js' */

/** @type {Case[]} */
export const basicCases = []
