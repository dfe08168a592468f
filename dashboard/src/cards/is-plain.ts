/** Anything that Markdown could mean something by; single lines are the same with or without it. */
const MEANING = /[*_`#[\]<>|~\\&+=:@]|\n|^\s|^\d+[.)]|^-|www\.| {2}$/

/** Whether a text is the same with or without its Markdown. Most of what agents say between tool calls is. */
export function isPlain(text: string): boolean {
  return text.length <= MOST_PLAIN && !MEANING.test(text)
}

/** What is longer is cut. */
const MOST_PLAIN = 4000
