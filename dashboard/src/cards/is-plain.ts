/** Characters with a meaning in Markdown; single newlines have none. */
const MEANING = /[*_`#[\]<>|~\\&+=:@]|\n|^\s|^\d+[.)]|^-|www\.| {2}$/

/** Whether a text renders the same with or without Markdown, as most agent text does. */
export function isPlain(text: string): boolean {
  return text.length <= MOST_PLAIN && !MEANING.test(text)
}

/** Longer texts are cut. */
const MOST_PLAIN = 4000
