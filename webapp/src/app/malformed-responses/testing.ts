import { act, screen } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import type { InitialEntry } from 'react-router-dom';
import type { Decoder } from '@/api/decode';
import { renderApp } from '@/app/testing';
import {
  foreignBodies,
  type Json,
  malformedBodies,
  type Outcome,
  outcomeOf,
} from '@/testing/malformed';
import { server } from '@/testing/server';

/** A call as method and path: 'GET /vc-admin/user/detail'. */
export type Call = `${'GET' | 'POST'} /${string}`;

/** The response to a call, and how the api layer reads it. */
export interface ServedResponse {
  body: Json;
  decoder: Decoder<unknown>;
  /** Whether it is malformed as a whole only, because other screens show its parts. */
  wholeOnly?: boolean;
}

/** What a screen shows when a call is refused or malformed. */
export interface ExpectedText {
  /** The screen's own text. */
  text: string | RegExp;
  /** Whether it shows the server's message instead, if there is one. */
  orMessage?: boolean;
}

/** A screen with the responses of a server. */
export interface Scenario {
  name: string;
  entry: InitialEntry;
  calls: Record<Call, ServedResponse>;
  /** What is shown when a call that loads the screen fails; a call that is absent changes nothing visible. */
  failures: Record<Call, ExpectedText>;
  /** Actions that send a further call, and what is shown when that fails. */
  actions?: Record<
    Call,
    { act: () => Promise<void>; served: ServedResponse; failure?: ExpectedText }
  >;
}

/**
 * Declares the tests of a screen: for each of its calls, each malformed response that the app reads differently is shown
 * without a crash, and with the specified message if it is refused.
 */
export function testMalformedResponses({
  name,
  entry,
  calls,
  failures,
  actions = {},
}: Scenario): void {
  describe(name, () => {
    const actionCalls = Object.entries(actions).map(([call, { served: responses }]) => [
      call,
      responses,
    ]);
    const served: Record<Call, ServedResponse> = { ...calls, ...Object.fromEntries(actionCalls) };
    for (const call of Object.keys(served) as Call[]) {
      it.each(distinctResponses(served[call] as ServedResponse))(
        `${call}: %s`,
        async (_what, text, outcome) => {
          vi.spyOn(console, 'error').mockImplementation(() => {});
          pending = 0;
          const responses = Object.entries(served) as [Call, ServedResponse][];
          for (const [other, { body }] of responses) respond(other, JSON.stringify(body));
          respond(call, text);
          renderApp(entry);
          await waitUntilIdle();
          const action = actions[call];
          if (action) await action.act();
          await waitUntilIdle();

          expectNoCrash();
          const expected = action ? action.failure : failures[call];
          if (expected && outcome.isRefused) expectShown(expected, outcome.message);
        },
      );
    }
  });
}

type Case = [description: string, text: string, outcome: Outcome];

/** Returns one response for each way in which the app reads the malformed ones. */
function distinctResponses({ body, decoder, wholeOnly }: ServedResponse): Case[] {
  const readings = new Set([outcomeOf(JSON.stringify(body), decoder).read]);
  return [...foreignBodies, ...(wholeOnly ? [] : malformedBodies(body))].flatMap(
    ({ description, text }) => {
      const outcome = outcomeOf(text, decoder);
      if (readings.has(outcome.read)) return [];
      readings.add(outcome.read);
      return [[description, text, outcome] satisfies Case];
    },
  );
}

function respond(call: Call, text: string) {
  const [method, path = ''] = call.split(' ');
  const resolver = () =>
    new HttpResponse(text, { headers: { 'Content-Type': 'application/json' } });
  server.use(method === 'GET' ? http.get(path, resolver) : http.post(path, resolver));
}

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
