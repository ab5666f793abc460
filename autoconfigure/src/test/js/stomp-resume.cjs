// Subscribes at one node, misses something, and goes on at the other: what an application does with @stomp/stompjs.
const [library, one, other] = process.argv.slice(2);
const { Client } = require(library);

const connected = (brokerURL) =>
  new Promise((resolve) => {
    const client = new Client({ brokerURL, webSocketFactory: () => new WebSocket(brokerURL), reconnectDelay: 0 });
    client.onConnect = () => resolve(client);
    client.activate();
  });

const subscribed = (client, onMessage, headers = {}) =>
  new Promise((resolve) => {
    client.watchForReceipt('news', resolve);
    client.subscribe('/topic/of-scripts', onMessage, { receipt: 'news', ...headers });
  });

const next = (messages) => new Promise((resolve) => (messages.resolve = resolve));

const run = async () => {
  const publisher = await connected(one);
  const publish = (body) => publisher.publish({ destination: '/topic/of-scripts', body });
  const client = await connected(one);
  const messages = {};
  let position;
  const receive = (message) => {
    position = message.headers.position;
    console.log(message.body + (message.headers.replayed ? ' replayed' : ''));
    messages.resolve(message.body);
  };
  await subscribed(client, receive);
  publish('first');
  await next(messages);
  await client.deactivate();
  const witness = await connected(one);
  const seen = {};
  await subscribed(witness, (message) => message.body === 'third' && seen.resolve());
  publish('second');
  publish('third');
  await next(seen);
  const back = await connected(other);
  let count = 0;
  const both = new Promise((resolve) => {
    messages.resolve = () => (++count === 2 ? resolve() : undefined);
  });
  const receipt = await subscribed(back, receive, { position });
  console.log('recovered ' + receipt.headers.recovered);
  await both;
  publish('fourth');
  await next(messages);
  process.exit(0);
};

run();
