/** The dashboard. */
export function App() {
  return <main>Vitrine</main>
}
