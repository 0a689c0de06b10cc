// What the SDKs expect of a browser and Node does not have. Import it before them.
import WebSocket from "ws";

Object.assign(globalThis, { WebSocket });
