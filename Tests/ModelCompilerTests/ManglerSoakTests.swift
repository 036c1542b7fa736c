import Foundation
import ModelCompilerCore
import Testing

/// Compares the symbols of random modules with those that the compiler asks for: 800 symbols of 12 modules, about three
/// seconds; `SOAK=100 swift test` tries 100 modules.
@Suite struct ManglerSoakTests {
  static let modules = ProcessInfo.processInfo.environment["SOAK"].flatMap(UInt64.init) ?? 12

  /// The output of a tool, or nil when it fails or does not exist.
  private func run(_ arguments: [String], in folder: URL) throws -> String? {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    process.currentDirectoryURL = folder
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return process.terminationStatus == 0 ? String(decoding: data, as: UTF8.self) : nil
  }

  /// Whether an undefined symbol is an accessor or a method that no library defines.
  private func isOfModule(_ symbol: String) -> Bool {
    let libraries = ["$sS", "$ss", "$s10Foundation", "$s20FoundationEssentials", "$s12OpenCoreData"]
    return symbol.hasPrefix("$s") && ["vg", "vs", "F"].contains { symbol.hasSuffix($0) }
      && !libraries.contains { symbol.hasPrefix($0) }
  }

  /// Whether a program is there and runs.
  private static func has(_ program: String) -> Bool {
    (try? ManglerSoakTests().run([program, "--version"], in: FileManager.default.temporaryDirectory)) != nil
  }

  @Test(.enabled(if: has("swiftc"), "swiftc is not there"), .enabled(if: has("nm"), "nm is not there"))
  func randomModules() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "mangler-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let base = "import Foundation\nopen class NSManagedObject: NSObject { public override init() {} }\n"
    try base.write(to: folder.appending(path: "Base.swift"), atomically: true, encoding: .utf8)
    let emit = ["swiftc", "-parse-as-library", "-emit-module", "-module-name", "OpenCoreData", "Base.swift"]
    _ = try #require(try run(emit, in: folder))
    var compared = 0
    for seed in 0..<Self.modules {
      let module = RandomModule(seed: seed)
      let path = folder.appending(path: "Source.swift")
      try module.source.write(to: path, atomically: true, encoding: .utf8)
      let compile = [
        "swiftc", "-I.", "-c", "-suppress-warnings", "-parse-as-library", "-module-name", module.name, "Source.swift",
        "-o", "s.o",
      ]
      guard try run(compile, in: folder) != nil, let list = try run(["nm", "-u", "s.o"], in: folder) else { continue }
      let wanted = Set(
        list.split(separator: "\n").compactMap { $0.split(separator: " ").last.map(String.init) }
          .filter(isOfModule))
      let file = Parser.parse(module.source, path: path.path)
      let program = Program(module: module.name, files: [file])
      let made = Set(try file.members.flatMap { try program.symbols(of: $0, in: file) })
      #expect(wanted.subtracting(made) == [], "seed \(seed)")
      compared += wanted.count
    }
    // A module whose names collide does not compile, and gives none.
    #expect(compared > 25 * Int(Self.modules))
  }
}
