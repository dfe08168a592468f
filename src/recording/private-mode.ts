export const PRIVATE_FOLDER_MODE = 0o700

/** Nobody else reads a recording. */
export const PRIVATE_FILE_MODE = 0o600
