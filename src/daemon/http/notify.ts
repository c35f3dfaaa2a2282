import * as routes from '../../contract/routes/notify.ts';
import { DomainError } from '../errors.ts';
import type { Notify } from '../notify/notify.ts';
import { actorName } from './actor-name.ts';
import type { Routes } from './routes.ts';
import { serve } from './serve.ts';

export const notifyRoutes =
  ({ notify }: { notify: Notify }): Routes =>
  async (app) => {
    serve(app, routes.listChannels, () => ({ channels: notify.channels() }));
    serve(app, routes.createChannel, ({ body, device }) => notify.create(body, actorName(device)));
    serve(app, routes.updateChannel, ({ params, body, device }) => notify.update(params.id, body, actorName(device)));
    serve(app, routes.removeChannel, async ({ params, device }) => {
      await notify.remove(params.id, actorName(device));
      return null;
    });
    serve(app, routes.testChannel, ({ params }) => notify.test(params.id));
    serve(app, routes.listNotifications, ({ query: { channel, limit } }) => ({
      notifications: notify.notifications({ channelId: channel, limit }),
    }));
    serve(app, routes.readNotification, ({ params }) => notify.notification(params.id));
    serve(app, routes.retryNotification, ({ params }) => notify.retry(params.id));
    serve(app, routes.readPushKey, async () => ({ publicKey: await notify.pushKey() }));
    serve(app, routes.subscribePush, ({ body, device }) => {
      if (device?.kind !== 'browser')
        throw new DomainError('channel.not_a_browser', 400, 'Only a browser that is signed in can subscribe to push.');
      return notify.subscribe(body, device);
    });
    serve(app, routes.sendReceipt, ({ body }) => {
      notify.confirm(body.id, body.token);
      return null;
    });
    serve(app, routes.readNotifySettings, () => notify.settings());
    serve(app, routes.saveNotifySettings, ({ body, device }) => notify.saveSettings(body, actorName(device)));
  };
