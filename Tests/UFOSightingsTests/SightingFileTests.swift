import CommandSupport
import ExampleSupport
import Foundation
import Testing

@testable import UFOSightings

@Suite struct SightingFileTests {
  private func withFile(_ body: (SightingFile) throws -> Void) throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "SightingFileTests-\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: url) }
    try body(SightingFile(url: url))
  }

  private func all(_ file: SightingFile, by size: Int) throws -> [[SightingRecord]] {
    var batches = try file.batches(of: size)
    var result: [[SightingRecord]] = []
    while let batch = try batches.next() { result.append(batch) }
    return result
  }

  @Test(arguments: [1, 999, 1000, 1001, 2500])
  func whatIsWrittenIsReadInBatches(count: Int) throws {
    try withFile { file in
      try file.write(count) { _ in }
      let expected = (0..<count).map(SightingRecord.init(number:))
      let batches = try all(file, by: 300)
      #expect(Array(batches.joined()) == expected)
      #expect(batches.dropLast().allSatisfy { $0.count == 300 })
      // And it is JSON for any other reader.
      #expect(try JSONDecoder().decode([SightingRecord].self, from: Data(contentsOf: file.url)) == expected)
    }
  }

  @Test func aLineThatIsNoSightingIsNamed() throws {
    try withFile { file in
      try file.write(3) { _ in }
      var lines = try String(contentsOf: file.url, encoding: .utf8).split(separator: "\n").map(String.init)
      lines[2] = "{\"identifier\":\"half\"},"
      try Data(lines.joined(separator: "\n").utf8).write(to: file.url)
      let failure = #expect(throws: ToolError.self) { try all(file, by: 10) }
      #expect(failure?.description.hasPrefix("Line 3 of \(file.url.path) is no sighting: ") == true)
    }
    try withFile { file in
      let failure = #expect(throws: ToolError.self) { try all(file, by: 10) }
      #expect(failure?.description.hasPrefix("Cannot read the sightings in \(file.url.path): ") == true)
    }
  }
}
