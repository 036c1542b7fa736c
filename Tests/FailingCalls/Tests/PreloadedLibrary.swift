import Foundation

/// FailingCalls.c as a library that is preloaded into a program. It is compiled once, with the first C compiler that is found.
enum PreloadedLibrary {
  static let url: URL? = try? compile()

  private static func compile() throws -> URL? {
    let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Shim/FailingCalls.c")
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin").split(separator: ":").map(String.init)
    let compilers = ["clang", "cc", "gcc"].flatMap { name in folders.map { "\($0)/\(name)" } }
    guard let compiler = compilers.first(where: FileManager.default.isExecutableFile) else { return nil }
    let library = FileManager.default.temporaryDirectory.appendingPathComponent("FailingCalls-\(UUID().uuidString).so")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: compiler)
    process.arguments = ["-shared", "-fPIC", "-O1", "-o", library.path, source.path]
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus == 0 ? library : nil
  }
}
