/** The key that is held for commands on this machine, as it is shown. */
export const MODIFIER: string = /mac|iphone|ipad/i.test(navigator.userAgent) ? '⌘' : 'Ctrl '
