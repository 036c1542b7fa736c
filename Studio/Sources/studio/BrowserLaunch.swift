import Foundation

/// Opens an address in the user's browser, if there is a screen and the program `xdg-open`.
enum BrowserLaunch {
  static func open(_ address: String) {
    let environment = ProcessInfo.processInfo.environment
    guard environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil else { return }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["xdg-open", address]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    // If there is no such program, the user opens the printed address.
    try? process.run()
  }
}
