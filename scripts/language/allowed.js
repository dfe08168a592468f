/**
 * Quotes and public names that contain a word of the rules.
 *
 * @type {readonly {file: string, text: string, reason: string}[]} `file`: a path; one that ends in `/` covers a folder
 */
export const ALLOWED = []
