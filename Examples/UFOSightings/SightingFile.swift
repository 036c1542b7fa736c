import CommandSupport
import ExampleSupport
import Foundation

/// A JSON array of sightings with one on each line, so that it can be read a part at a time.
struct SightingFile: Sendable {
  let url: URL

  /// Writes generated sightings.
  ///
  /// - Parameter each: Called from time to time with the number of sightings so far.
  /// - Throws: The errors of writing the file.
  func write(_ count: Int, each: (Int) -> Void) throws {
    try Data("[\n".utf8).write(to: url)
    let file = try FileHandle(forWritingTo: url)
    defer { try? file.close() }
    try file.seekToEnd()
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    for start in stride(from: 0, to: count, by: 1000) {
      var part = Data()
      let end = min(start + 1000, count)
      for number in start..<end {
        part += try encoder.encode(SightingRecord(number: number))
        part += Data((number < count - 1 ? ",\n" : "\n").utf8)
      }
      try file.write(contentsOf: part)
      each(end)
    }
    try file.write(contentsOf: Data("]\n".utf8))
  }

  /// Reads the sightings, some at a time.
  ///
  /// - Throws: A `ToolError` if the file cannot be opened.
  func batches(of size: Int) throws -> Batches {
    do {
      return Batches(file: try FileHandle(forReadingFrom: url), name: url.path, size: size)
    } catch {
      throw ToolError("Cannot read the sightings in \(url.path)", error)
    }
  }

  /// The rest of a file that has not been read yet.
  struct Batches {
    private let file: FileHandle
    private let name: String
    private let size: Int
    private let decoder = JSONDecoder()
    private var rest = Data()
    private var line = 0

    fileprivate init(file: FileHandle, name: String, size: Int) {
      self.file = file
      self.name = name
      self.size = size
    }

    /// Returns the next sightings; nil at the end.
    ///
    /// - Throws: A `ToolError` with the number of a line that is no sighting; the errors of reading.
    mutating func next() throws -> [SightingRecord]? {
      var records: [SightingRecord] = []
      while records.count < size, let text = try nextLine() {
        line += 1
        if text.elementsEqual("[".utf8) || text.elementsEqual("]".utf8) || text.isEmpty { continue }
        let object = text.last == UInt8(ascii: ",") ? text.dropLast() : text
        do {
          records.append(try decoder.decode(SightingRecord.self, from: object))
        } catch {
          throw ToolError("Line \(line) of \(name) is no sighting", error)
        }
      }
      return records.isEmpty ? nil : records
    }

    private mutating func nextLine() throws -> Data? {
      while true {
        if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
          defer { rest = rest[(end + 1)...] }
          return Data(rest[..<end])
        }
        guard let more = try file.read(upToCount: 1 << 16), !more.isEmpty else {
          defer { rest = Data() }
          return rest.isEmpty ? nil : Data(rest)
        }
        rest = rest + more
      }
    }
  }
}
