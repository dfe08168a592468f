/** The display form of the command key on this platform. */
export const MODIFIER: string = /mac|iphone|ipad/i.test(navigator.userAgent) ? '⌘' : 'Ctrl '
