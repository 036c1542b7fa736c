import Foundation

/// A test program: its purpose and its options.
struct TestProgram: Sendable {
  /// In addresses, and in kept runs.
  let id: String
  let title: String
  let summary: String
  /// The name of its executable.
  let executable: String
  let options: [TestOption]
  /// Whether its data are loaded in a process of their own before: else all of it would be in memory when it is measured.
  let loadsBefore: Bool
  /// Reads the measures from the program's JSON output.
  let series: @Sendable (Data) throws -> [RunRecord.Series]

  /// The executable in a folder; nil where it was not built.
  func executable(in folder: URL?) -> URL? {
    guard let url = folder?.appendingPathComponent(executable) else { return nil }
    return FileManager.default.isExecutableFile(atPath: url.path) ? url : nil
  }
}
