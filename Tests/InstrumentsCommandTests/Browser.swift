import CZlib
import Foundation
import Testing

/// Chromium without a window, if the machine has it.
enum Browser {
  enum Scheme: String, CaseIterable, Sendable {
    case dark, light

    /// As Blink numbers them.
    fileprivate var setting: Int { self == .dark ? 0 : 1 }
  }

  static let program: URL? = {
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":") + ["/usr/bin"]
    let paths = names.flatMap { name in folders.map { "\($0)/\(name)" } }
    return paths.first { FileManager.default.isExecutableFile(atPath: $0) }.map { URL(fileURLWithPath: $0) }
  }()

  static let isMissing: Comment = "There is no Chromium on this machine, so that nobody looks at the page."

  /// The page as it is when its script has run.
  static func document(_ page: URL, _ scheme: Scheme = .light) throws -> String {
    try run(["--dump-dom", page.absoluteString], scheme)
  }

  /// Takes a picture of the top of the page.
  static func screenshot(_ page: URL, _ scheme: Scheme, to picture: URL, height: Int = 2400) throws {
    _ = try run(["--screenshot=\(picture.path)", "--window-size=1240,\(height)", page.absoluteString], scheme)
  }

  private static func run(_ arguments: [String], _ scheme: Scheme) throws -> String {
    let program = try #require(self.program)
    let profile = FileManager.default.temporaryDirectory.appending(path: "Browser-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: profile) }
    let output = FileManager.default.temporaryDirectory.appending(path: "Browser-\(UUID().uuidString).html")
    _ = FileManager.default.createFile(atPath: output.path, contents: nil)
    defer { try? FileManager.default.removeItem(at: output) }
    let process = Process()
    process.executableURL = program
    process.arguments =
      [
        "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--hide-scrollbars",
        "--user-data-dir=\(profile.path)", "--blink-settings=preferredColorScheme=\(scheme.setting)",
        // Whatever is not in the page is not there.
        "--host-resolver-rules=MAP * ~NOTFOUND", "--timeout=900000",
      ] + arguments
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    return String(decoding: try Data(contentsOf: output), as: UTF8.self)
  }
}

/// A picture that Chromium took.
struct Picture {
  let width: Int
  let height: Int
  /// The first pixel, red, green and blue.
  let corner: [UInt8]

  init(_ url: URL) throws {
    let data = [UInt8](try Data(contentsOf: url))
    func number(_ place: Int) -> Int { data[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
    try #require(data.starts(with: [0x89, 0x50, 0x4e, 0x47]))
    (width, height) = (number(16), number(20))
    var packed: [UInt8] = []
    var place = 8
    while place + 8 <= data.count {
      let length = number(place)
      if data[place + 4..<place + 8].elementsEqual("IDAT".utf8) { packed += data[place + 8..<place + 8 + length] }
      place += length + 12
    }
    // The byte that names a line's filter, which leaves its first pixel as it is.
    var line = [UInt8](repeating: 0, count: 4)
    var stream = z_stream()
    try #require(inflateInit_(&stream, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK)
    defer { inflateEnd(&stream) }
    packed.withUnsafeMutableBufferPointer { input in
      line.withUnsafeMutableBufferPointer { output in
        (stream.next_in, stream.avail_in) = (input.baseAddress, uInt(input.count))
        (stream.next_out, stream.avail_out) = (output.baseAddress, uInt(output.count))
        _ = inflate(&stream, Z_SYNC_FLUSH)
      }
    }
    corner = Array(line.dropFirst())
  }
}
