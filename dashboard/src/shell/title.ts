/** Sets the title of the tab. */
export function setPageTitle(title: string): void {
  page = title
  show()
}

/** Shows in the tab how many runs need attention. */
export function setNeedCount(count: number): void {
  needs = count
  show()
}

let page = ''
let needs = 0

function show(): void {
  const words = needs > 0 ? `(${needs}) Needs you` : page
  document.title = words === '' ? 'Vitrine' : `${words} · Vitrine`
}
