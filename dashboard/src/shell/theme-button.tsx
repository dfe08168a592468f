import {Icon} from '../ui/icon.tsx'
import {flipTheme, useTheme} from './theme.ts'

/** Switches between light and dark. */
export function ThemeButton() {
  const theme = useTheme()
  return (
    <button
      type="button"
      className="btn icon quiet theme"
      onClick={flipTheme}
      aria-label={theme === 'dark' ? 'Change to light' : 'Change to dark'}
    >
      <Icon name={theme === 'dark' ? 'moon' : 'sun'} />
    </button>
  )
}
