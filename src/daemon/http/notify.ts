import * as routes from '../../contract/routes/notify.ts';
import type { KnownDevice } from '../access/devices.ts';
import { DomainError } from '../errors.ts';
import type { Notify } from '../notify/notify.ts';
import { actorName } from './actor-name.ts';
import type { Routes } from './routes.ts';
import { serve } from './serve.ts';

export const notifyRoutes =
  ({ notify }: { notify: Notify }): Routes =>
  async (app) => {
    /** Anyone but an admin can only manage the notifications of their own device. */
    function checkOwn(channelId: string, device: KnownDevice | undefined): void {
      if (device?.role === 'admin' || notify.deviceOf(channelId) === device?.id) return;
      throw new DomainError(
        'channel.not_own',
        403,
        `${device?.name} can only change its own notifications. Use a device with the admin role.`,
      );
    }

    serve(app, routes.listChannels, () => ({ channels: notify.channels() }));
    serve(app, routes.createChannel, ({ body, device }) => notify.create(body, actorName(device)));
    serve(app, routes.updateChannel, ({ params, body, device }) => {
      checkOwn(params.id, device);
      return notify.update(params.id, body, actorName(device));
    });
    serve(app, routes.removeChannel, async ({ params, device }) => {
      checkOwn(params.id, device);
      await notify.remove(params.id, actorName(device));
      return null;
    });
    serve(app, routes.testChannel, ({ params, device }) => {
      checkOwn(params.id, device);
      return notify.test(params.id);
    });
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
