import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import type { InitialEntry } from 'react-router-dom';
import type { Decoder } from '@/api/decode';
import { renderApp } from '@/app/testing';
import {
  type Json,
  malformedBodies,
  type Outcome,
  outcomeOf,
  unrelatedBodies,
} from '@/testing/malformed';
import { server } from '@/testing/server';

/** A call as method and path: 'GET /vc-admin/user/detail'. */
export type Call = `${'GET' | 'POST'} /${string}`;

/** The response to a call, and the decoder of the api layer for it. */
export interface ServedResponse {
  body: Json;
  decoder: Decoder<unknown>;
  /** Whether its parts are not malformed one by one, because the tests of another screen do that. */
  arePartsTestedElsewhere?: boolean;
}

/** What a screen shows when the response to a call is refused. */
export interface ExpectedText {
  /** The screen's own text. */
  text: string | RegExp;
  /** Whether the server's message is shown instead, if there is one. */
  orMessage?: boolean;
}

/** A screen with the responses of a server, and what it shows when one is refused. */
export interface Scenario {
  name: string;
  entry: InitialEntry;
  calls: Record<Call, ServedResponse>;
  /** What is shown when the response to a call of `calls` is refused. For an absent call nothing has to be shown. */
  failures: Record<Call, ExpectedText>;
  /** Actions that send a further call, with its response and what is shown when that is refused. */
  actions?: Record<
    Call,
    { act: () => Promise<void>; served: ServedResponse; failure?: ExpectedText }
  >;
}

/** The text of a screen that could not be loaded. */
export const tryLater = { text: 'Please try again later!' };

/** The plan that the scenarios choose, and the query of the screens for it. */
export const choice = { product: 'professional', interval: 'yearly', currency: 'AUD' } as const;
export const query = `?${new URLSearchParams({ ...choice, debug: 'true' })}`;

/** Waits for a button and presses it. */
export const press = async (name: string | RegExp) =>
  userEvent.click(await screen.findByRole('button', { name }));

/**
 * Declares the tests of a screen: one for each malformed response to each of its calls. The screen must not crash, and
 * must show the specified text if the response is refused. Of responses that the api layer decodes alike, one is tested.
 */
export function testMalformedResponses({
  name,
  entry,
  calls,
  failures,
  actions = {},
}: Scenario): void {
  describe(name, () => {
    const actionResponses = Object.entries(actions).map(([call, { served }]) => [call, served]);
    const responsesByCall: Record<Call, ServedResponse> = {
      ...calls,
      ...Object.fromEntries(actionResponses),
    };
    const responses = Object.entries(responsesByCall) as [Call, ServedResponse][];
    for (const [call, response] of responses) {
      it.each(distinctResponses(response))(`${call}: %s`, async (_description, text, outcome) => {
        vi.spyOn(console, 'error').mockImplementation(() => {});
        pending = 0;
        for (const [otherCall, { body }] of responses) respond(otherCall, JSON.stringify(body));
        respond(call, text);
        renderApp(entry);
        await waitUntilIdle();
        const action = actions[call];
        if (action) await action.act();
        await waitUntilIdle();

        expectNoCrash();
        const expectedText = action ? action.failure : failures[call];
        if (expectedText && outcome.isRefused) expectShown(expectedText, outcome.message);
      });
    }
  });
}

type Case = [description: string, text: string, outcome: Outcome];

/** Returns the malformed responses, and only the first one of those that the api layer decodes alike. */
function distinctResponses({ body, decoder, arePartsTestedElsewhere }: ServedResponse): Case[] {
  const decoded = new Set([outcomeOf(JSON.stringify(body), decoder).decoded]);
  return [...unrelatedBodies, ...(arePartsTestedElsewhere ? [] : malformedBodies(body))].flatMap(
    ({ description, text }) => {
      const outcome = outcomeOf(text, decoder);
      if (decoded.has(outcome.decoded)) return [];
      decoded.add(outcome.decoded);
      return [[description, text, outcome] satisfies Case];
    },
  );
}

/** Responds to a call with this text. */
function respond(call: Call, text: string) {
  const [method, path = ''] = call.split(' ');
  const resolver = () =>
    new HttpResponse(text, { headers: { 'Content-Type': 'application/json' } });
  server.use(method === 'GET' ? http.get(path, resolver) : http.post(path, resolver));
}

/** The number of requests without a response. */
let pending = 0;
server.events.on('request:start', () => void pending++);
server.events.on('response:mocked', () => void pending--);
server.events.on('request:unhandled', () => void pending--);

/** Waits until all requests have their responses and nothing is loading. */
async function waitUntilIdle() {
  await vi.waitFor(
    async () => {
      await act(() => new Promise((resolve) => setTimeout(resolve)));
      expect(pending).toBe(0);
      expect(document.querySelector('[data-loading]')).toBeNull();
    },
    { interval: 1, timeout: 15_000 },
  );
}

function expectNoCrash() {
  expect(screen.getByRole('main')).toBeInTheDocument();
  expect(screen.queryByText('Something went wrong')).not.toBeInTheDocument();
  expect(document.body.textContent).not.toMatch(/undefined|\bnull\b|NaN|\[object|Invalid Date/);
  const messages = vi.mocked(console.error).mock.calls.map(([first]) => String(first));
  expect(messages.filter((text) => /could not be shown|Warning:/.test(text))).toEqual([]);
}

function expectShown({ text, orMessage }: ExpectedText, message: string) {
  const expected = orMessage && message ? message : text;
  expect(screen.queryAllByText(expected, { exact: false }), `"${expected}" is shown`).not.toEqual(
    [],
  );
}
