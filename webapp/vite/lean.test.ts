import { leanRouter } from './lean';

describe('the router made lean', () => {
  it('loses its display names and has its contexts marked as pure', () => {
    const code =
      'var A = React.createContext(null);\nA.displayName = "A";\nvar B = React3.memo(C);';

    expect(leanRouter(code)).toBe(
      'var A = /* @__PURE__ */ React.createContext(null);\n\nvar B = /* @__PURE__ */ React3.memo(C);',
    );
  });
});
