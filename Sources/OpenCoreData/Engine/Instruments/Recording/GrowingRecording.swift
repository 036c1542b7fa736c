import Foundation

/// A recording that a program may still be writing. Each update reads only the new part of the file.
package struct GrowingRecording {
  package let url: URL
  private var decoder = RecordingDecoder()
  /// The first bytes of the file. They change if the program is started again and writes a new recording in its place.
  private var beginning = Data()
  private static let beginningLength = 256

  /// Reads the present contents of a file.
  /// - Throws: the errors of `Recording(contentsOf:)`.
  package init(_ url: URL) throws {
    self.url = url
    _ = try update()
  }

  /// Returns whether a file begins as a recording does.
  package static func begins(_ url: URL) -> Bool {
    guard RegularFile.isThere(url), let file = try? FileHandle(forReadingFrom: url) else { return false }
    defer { try? file.close() }
    guard let start = try? file.read(upToCount: RecordingFormat.magic.count) else { return false }
    return start.elementsEqual(RecordingFormat.magic)
  }

  /// Reads the part of the file that was added since the last read.
  /// - Returns: whether anything was added.
  /// - Throws: the errors of `Recording(contentsOf:)`.
  package mutating func update() throws -> Bool {
    let file: FileHandle
    guard RegularFile.isThere(url) else { throw Recording.missing(url) }
    do { file = try FileHandle(forReadingFrom: url) } catch { throw Recording.missing(url) }
    defer { try? file.close() }
    do {
      let start = try file.read(upToCount: Self.beginningLength) ?? Data()
      if !start.starts(with: beginning) { (decoder, beginning) = (RecordingDecoder(), Data()) }
      if beginning.count < Self.beginningLength { beginning = start }
      let place = decoder.place
      try file.seek(toOffset: UInt64(place))
      try decoder.read(try file.readToEnd() ?? Data())
      return decoder.place > place
    } catch let error as RecordingDecoder.Failure {
      throw Recording.damaged(url, error)
    }
  }

  /// Returns the recording as far as it was read.
  package mutating func recording() -> Recording {
    decoder.findSymbols()
    return decoder.result()
  }
}
