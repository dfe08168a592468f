/** Makes a check of objects: `fields` says of each key which type it has. */
export function object(fields) {
  return {
    validate(value) {
      const errors = Object.entries(fields).flatMap(([key, type]) =>
        typeof value[key] === type ? [] : [`${key} is no ${type}`],
      )
      return {ok: errors.length === 0, errors}
    },
  }
}
