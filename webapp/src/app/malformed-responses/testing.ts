import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import type { InitialEntry } from 'react-router-dom';
import type { Decoder } from '@/api/decode';
import { renderApp } from '@/app/testing';
import { type DecodeResult, decodeResponse, type Json, unrelatedBodies } from '@/testing/malformed';
import { server } from '@/testing/server';

/** A call as method and path: 'GET /vc-admin/user/detail'. */
export type Call = `${'GET' | 'POST'} /${string}`;

/** The response to a call, and the decoder of the api layer for it. */
export interface ServedResponse {
  body: Json;
  decoder: Decoder<unknown>;
}

/** The text that a screen shows when the response to a call is refused. */
export interface ExpectedText {
  /** The text of the app. */
  text: string | RegExp;
  /** Whether the server's message is shown instead, if there is one. */
  prefersServerMessage?: boolean;
}

/** A screen with the responses of a server, and the texts that it shows when a response is refused. */
export interface Scenario {
  name: string;
  entry: InitialEntry;
  calls: Record<Call, ServedResponse>;
  /** The texts for the calls of `calls`. For other calls the tests check only that the screen does not crash. */
  failures: Record<Call, ExpectedText>;
  /** Actions that send another call, with its response and the text that is shown when the response is refused. */
  actions?: Record<
    Call,
    { act: () => Promise<void>; response: ServedResponse; failure?: ExpectedText }
  >;
}

/** The text on a screen that could not be loaded. */
export const tryLater = { text: 'Please try again later!' };

/** The plan that the scenarios choose. */
export const choice = { product: 'professional', interval: 'yearly', currency: 'AUD' } as const;

/** The query with which the screens are opened. */
export const query = `?${new URLSearchParams({ ...choice, debug: 'true' })}`;

/** Waits for a button and presses it. */
export const press = async (name: string | RegExp) =>
  userEvent.click(await screen.findByRole('button', { name }));

/**
 * Declares the tests of a screen: one for each unrelated response to each of its calls. The screen must not crash, and must
 * show the expected text if the response is refused. If the api layer decodes several responses alike, only the first of
 * them is tested. Responses with a malformed part are tested in src/api/malformed.test.ts: the api layer refuses them or
 * decodes the part as absent, so a screen never gets a part of another type.
 */
export function testMalformedResponses({
  name,
  entry,
  calls,
  failures,
  actions = {},
}: Scenario): void {
  describe(name, () => {
    const responses = { ...calls };
    for (const [call, { response }] of entriesOf(actions)) responses[call] = response;

    for (const [call, response] of entriesOf(responses)) {
      const title = `survives a malformed response to ${call}: %s`;
      it.each(distinctResponses(response))(title, async (_description, text, result) => {
        vi.spyOn(console, 'error').mockImplementation(() => {});
        pendingRequests = 0;
        for (const [otherCall, { body }] of entriesOf(responses)) {
          respond(otherCall, JSON.stringify(body));
        }
        respond(call, text);
        renderApp(entry);
        await waitUntilIdle();
        const action = actions[call];
        if (action) await action.act();
        await waitUntilIdle();

        expectNoCrash();
        const expectedText = action ? action.failure : failures[call];
        if (expectedText && result.isRejected) expectTextShown(expectedText, result.message);
      });
    }
  });
}

const entriesOf = <T>(record: Record<Call, T>) => Object.entries(record) as [Call, T][];

type MalformedResponse = [description: string, text: string, result: DecodeResult];

/** Returns the unrelated responses that the api layer decodes differently from the response and from each other. */
function distinctResponses({ body, decoder }: ServedResponse): MalformedResponse[] {
  const knownResults = new Set([decodeResponse(JSON.stringify(body), decoder).decoded]);
  return unrelatedBodies.flatMap(({ description, text }) => {
    const result = decodeResponse(text, decoder);
    if (knownResults.has(result.decoded)) return [];
    knownResults.add(result.decoded);
    return [[description, text, result] satisfies MalformedResponse];
  });
}

/** Responds to a call with this text. */
function respond(call: Call, text: string) {
  const [method, path = ''] = call.split(' ');
  const resolver = () =>
    new HttpResponse(text, { headers: { 'Content-Type': 'application/json' } });
  server.use(method === 'GET' ? http.get(path, resolver) : http.post(path, resolver));
}

/** The number of requests without a response. */
let pendingRequests = 0;
server.events.on('request:start', () => void pendingRequests++);
server.events.on('response:mocked', () => void pendingRequests--);
server.events.on('request:unhandled', () => void pendingRequests--);

/** Waits until every request has a response and nothing is loading. */
async function waitUntilIdle() {
  await vi.waitFor(
    async () => {
      await act(() => new Promise((resolve) => setTimeout(resolve)));
      expect(pendingRequests).toBe(0);
      expect(document.querySelector('[data-loading]')).toBeNull();
    },
    { interval: 1, timeout: 60_000 },
  );
}

function expectNoCrash() {
  expect(screen.getByRole('main')).toBeInTheDocument();
  expect(screen.queryByText('Something went wrong')).not.toBeInTheDocument();
  expect(document.body.textContent).not.toMatch(/undefined|\bnull\b|NaN|\[object|Invalid Date/);
  const messages = vi.mocked(console.error).mock.calls.map(([first]) => String(first));
  expect(messages.filter((text) => /could not be shown|Warning:/.test(text))).toEqual([]);
}

function expectTextShown({ text, prefersServerMessage }: ExpectedText, message: string) {
  const expected = prefersServerMessage && message ? message : text;
  expect(screen.queryAllByText(expected, { exact: false }), `"${expected}" is shown`).not.toEqual(
    [],
  );
}
