import Foundation
import Testing

/// Other programs that look at stores: what they see is not this framework's word about itself.
enum Shell {
  static let sqlite = find("sqlite3")
  static let python = find("python3")
  static let mount = find("mount")
  static let umount = find("umount")
  static var hasSQLite: Bool { sqlite != nil }

  private static func find(_ name: String) -> URL? {
    (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin").split(separator: ":")
      .map { URL(fileURLWithPath: String($0)).appendingPathComponent(name) }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }

  /// What the program prints, without the last newline.
  /// - Parameter status: what it must exit with, or nil for anything.
  @discardableResult
  static func run(_ program: URL?, _ arguments: [String], expecting status: Int32? = 0) throws -> String {
    let process = Process(), pipe = Pipe()
    let executable: URL = try #require(program)
    process.executableURL = executable
    process.arguments = arguments
    process.standardOutput = pipe
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    if let status { #expect(process.terminationStatus == status, "\(arguments)") }
    return String(decoding: output, as: UTF8.self).trimmingCharacters(in: .newlines)
  }

  /// The rows of a query, columns parted by `|`, as the command line shows them.
  @discardableResult
  static func sql(_ store: URL, _ query: String) throws -> [String] {
    try run(sqlite, ["-batch", store.path, query]).split(separator: "\n").map(String.init)
  }
}

/// Another process that has a store open and runs statements as they are sent.
final class OtherProcess {
  private let process = Process()
  private let input = Pipe(), output = Pipe()

  init(_ store: URL) throws {
    let executable: URL = try #require(Shell.sqlite)
    process.executableURL = executable
    process.arguments = ["-batch", "-bail", store.path]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
  }

  /// Runs statements and waits until they are done; gives the lines that they print.
  @discardableResult
  func run(_ sql: String) throws -> [String] {
    input.fileHandleForWriting.write(Data("\(sql)\n.print done.\n".utf8))
    var text = ""
    while !text.hasSuffix("done.\n") {
      let data = output.fileHandleForReading.availableData
      if data.isEmpty { throw CocoaError(.fileReadUnknown) }
      text += String(decoding: data, as: UTF8.self)
    }
    return text.split(separator: "\n").dropLast().map(String.init)
  }

  deinit {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }
}
