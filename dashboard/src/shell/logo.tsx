/** The logo of Vitrine: a glass case. */
export function Logo({className}: {className?: string | undefined}) {
  return (
    <svg
      className={className}
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      aria-hidden="true"
    >
      <path d="M3 17.25h14M4.5 14.5v-11h11v11z" strokeLinejoin="round" />
      <path d="M7 7.5 9.5 5M7 11l6-6" strokeLinecap="round" opacity=".55" />
      <circle cx="12" cy="11.5" r="1.5" fill="var(--run)" stroke="none" />
    </svg>
  )
}
