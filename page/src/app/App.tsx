/** The page: a header, and what its address says. */

export function App() {
  return <main />;
}
