import { Route, Routes } from 'react-router-dom';
import { routes } from './paths';

/** The whole app: which screen stands at which address. */
export function App() {
  return (
    <Routes>
      <Route path={routes.plans} element={<h1>Plans</h1>} />
    </Routes>
  );
}
