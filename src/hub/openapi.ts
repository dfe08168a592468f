/** What the hub answers, for programs that make clients of it. */
export function openApi(version: string): object {
  return {openapi: '3.1.0', info: {title: 'Vitrine hub', version}, paths: {}}
}
