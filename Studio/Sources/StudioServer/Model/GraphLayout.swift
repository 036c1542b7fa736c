import Foundation
import Synchronization

/// Computes positions for the boxes and lines of a graph with Graphviz's `dot`.
///
/// The input of `dot` contains only numbers, and only numbers are read from its output. So a hostile name in a model can
/// affect neither.
struct GraphLayout: Sendable {
  struct Point: Sendable, Hashable {
    let x: Double
    let y: Double
  }

  /// The positions of all boxes and lines; y grows downwards.
  struct Places: Sendable {
    let width: Double
    let height: Double
    /// The middle of each box.
    let boxes: [Point]
    /// For each line: the first point of its curve and then three points for each segment, and the middle of its label.
    let lines: [(curve: [Point], label: Point?)]
  }

  /// The reason in words why there is no layout.
  struct Failure: Error, Equatable { let text: String }

  private static let timeLimit: TimeInterval = 10
  private static let mostOutput = 8 << 20

  private let program: URL?
  private let folder: URL
  private let timeLimit: TimeInterval

  /// - Parameters:
  ///   - program: The executable of `dot`; nil if it is not installed.
  ///   - folder: The folder for the input file, which is removed after the layout.
  init(program: URL? = Self.installed(), folder: URL, timeLimit: TimeInterval = Self.timeLimit) {
    (self.program, self.folder, self.timeLimit) = (program, folder, timeLimit)
  }

  /// Returns the first `dot` in the search path.
  static func installed() -> URL? {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").lazy
      .map { URL(fileURLWithPath: String($0)).appendingPathComponent("dot") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }

  /// Waits for `dot`, so this function must be called on a thread that may wait.
  /// - Throws: a ``Failure`` if `dot` is not installed, fails, or takes too long.
  func places(for sketch: ModelSketch) throws -> Places {
    guard let program else {
      throw Failure(text: "Graphviz is not installed; its program “dot” finds the places (apt install graphviz).")
    }
    let input = folder.appendingPathComponent("studio-graph-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: input) }
    do {
      try Data(Self.text(of: sketch).utf8).write(to: input)
      let output = try run(program, input)
      return try DotOutput(output).places(for: sketch)
    } catch let failure as Failure {
      throw failure
    } catch {
      throw Failure(text: "“dot” did not find places: \(error.localizedDescription)")
    }
  }

  /// Returns the graph in Graphviz's language, without any name of the model.
  static func text(of sketch: ModelSketch) -> String {
    func inches(_ points: Double) -> String { String(format: "%.3f", points / 72) }
    var lines = [
      "digraph m {", "rankdir=LR; nodesep=0.35; ranksep=0.5;", "node [shape=box, fixedsize=true, label=\"\"];",
      "edge [arrowhead=none];",
    ]
    for (number, box) in sketch.boxes.enumerated() {
      lines.append("n\(number) [width=\(inches(box.width)), height=\(inches(box.height))];")
    }
    for (number, line) in sketch.lines.enumerated() {
      let size = "width=\"\(Int(line.width.rounded(.up)))\" height=\"\(Int(line.height.rounded(.up)))\""
      let label =
        line.forward == nil
        ? "" : ", label=<<table border=\"0\" fixedsize=\"true\" \(size)><tr><td></td></tr></table>>"
      lines.append("n\(line.source) -> n\(line.destination) [id=\"\(number)\"\(label)];")
    }
    return (lines + ["}"]).joined(separator: "\n")
  }

  private func run(_ program: URL, _ input: URL) throws -> Data {
    let process = Process()
    process.executableURL = program
    process.arguments = ["-Tjson0"]
    // With SERVER_NAME in its environment, Graphviz opens no file.
    process.environment = ["SERVER_NAME": "studio", "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"]
    process.standardInput = try FileHandle(forReadingFrom: input)
    process.standardError = FileHandle.nullDevice
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let isLate = Mutex(false)
    let limit = DispatchWorkItem {
      isLate.withLock { $0 = true }
      kill(process.processIdentifier, SIGKILL)
    }
    DispatchQueue.global().asyncAfter(deadline: .now() + timeLimit, execute: limit)
    defer { limit.cancel() }
    var output = Data()
    while let part = try pipe.fileHandleForReading.read(upToCount: 1 << 16), !part.isEmpty {
      output.append(part)
      if output.count > Self.mostOutput {
        kill(process.processIdentifier, SIGKILL)
        break
      }
    }
    process.waitUntilExit()
    if isLate.withLock(\.self) {
      throw Failure(
        text: "“dot” found no places for so many entities and relationships within \(Int(timeLimit)) seconds.")
    }
    guard output.count <= Self.mostOutput else { throw Failure(text: "The graph is too large to be shown.") }
    guard process.terminationStatus == 0 else {
      throw Failure(text: "“dot” failed with status \(process.terminationStatus).")
    }
    return output
  }

}
