import { openTabChannel } from './tab-channel';

class FailingConstructor {
  constructor() {
    throw new DOMException('The operation is insecure.', 'SecurityError');
  }
}

it.each([
  ['is missing', undefined],
  ['throws', FailingConstructor],
])('a tab channel does nothing when BroadcastChannel %s', (_, Constructor) => {
  vi.stubGlobal('BroadcastChannel', Constructor);

  const channel = openTabChannel('name', expect.unreachable);

  channel.send('message');
  channel.close();
});
