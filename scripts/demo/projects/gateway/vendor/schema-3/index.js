/** Types of fields. */
export const string = {type: 'string'}
export const number = {type: 'number'}

/** Makes a check of objects: `fields` says of each key which type it has. */
export function object(fields) {
  return {
    parse(value) {
      const issues = Object.entries(fields).flatMap(([key, {type}]) =>
        typeof value[key] === type ? [] : [{path: key, message: `expected ${type}`}],
      )
      return issues.length === 0 ? {success: true, data: value} : {success: false, issues}
    },
  }
}
