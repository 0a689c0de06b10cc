// Browser globals that the SDKs expect and Node lacks. Import this before the SDKs.
import WebSocket from "ws";

Object.assign(globalThis, { WebSocket });
