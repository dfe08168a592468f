export const PRIVATE_FOLDER = 0o700

/** Nobody else reads a recording. */
export const PRIVATE_FILE = 0o600
