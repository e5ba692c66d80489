/** The page's XSRF token. It belongs to one session: another one means that another session began. */
export const xsrfToken = (): string =>
  /(?:^|; )XSRF-TOKEN=([^;]*)/.exec(document.cookie)?.[1] ?? '';
