import type { ApolloClient } from "@apollo/client";

import { Notifications } from "./documents.ts";
import type { Server } from "./server.ts";
import type { NotificationsSubscription } from "./generated/graphql.ts";

type Notification = NonNullable<NotificationsSubscription["onNotification"]>;

/** The past and future events of a subscription. */
export class Inbox {
  private readonly arrived: Notification[] = [];
  private wake = () => {};
  private failure: unknown;
  private readonly subscription: { unsubscribe(): void };

  /** Subscribes, and waits until the server confirms: earlier events are not delivered. */
  static async open(server: Server, client: ApolloClient, userId: string): Promise<Inbox> {
    const before = await server.openSubscriptions();
    const inbox = new Inbox(client, userId);
    while ((await server.openSubscriptions()) === before) {
      if (inbox.failure) throw inbox.failure;
    }
    return inbox;
  }

  private constructor(client: ApolloClient, userId: string) {
    this.subscription = client.subscribe({ query: Notifications, variables: { userId } }).subscribe({
      next: ({ data, error }) => {
        if (error) this.failure = error;
        if (data?.onNotification) this.arrived.push(data.onNotification);
        this.wake();
      },
      error: (error) => {
        this.failure = error;
        this.wake();
      },
    });
  }

  /** Takes the next notification, or fails after the time that the contract allows. */
  async next(): Promise<Notification> {
    const late = new Error("no notification within two seconds");
    const deadline = setTimeout(() => {
      this.failure = late;
      this.wake();
    }, 2000);
    try {
      for (;;) {
        if (this.failure) throw this.failure;
        const notification = this.arrived.shift();
        if (notification) return notification;
        await new Promise<void>((resolve) => (this.wake = resolve));
      }
    } finally {
      clearTimeout(deadline);
    }
  }

  close(): void {
    this.subscription.unsubscribe();
  }
}
