import { blocksCookies, cookiesAdvice } from '@/api';
import { Notice } from '@/components/Notice';

/** Reports above a form that the browser blocks cookies. Renders nothing if the browser accepts them. */
export const CookiesNotice = () =>
  blocksCookies() && (
    <Notice tone="attention" className="mt-4" title="Your browser blocks cookies">
      <p>{cookiesAdvice}</p>
    </Notice>
  );
