import {Button} from '../ui/button.tsx'
import {Icon} from '../ui/icon.tsx'
import {flipTheme, useTheme} from '../ui/theme.ts'

/** Switches between light and dark. */
export function ThemeButton() {
  const theme = useTheme()
  return (
    <Button
      kind="quiet"
      size="icon"
      onClick={flipTheme}
      aria-label={theme === 'dark' ? 'Change to light' : 'Change to dark'}
    >
      <Icon name={theme === 'dark' ? 'moon' : 'sun'} />
    </Button>
  )
}
