import Foundation
import Synchronization

/// Maps files into memory, so that their bytes are read only when they are used.
///
/// A mapped file may be removed, but must never be written again: the bytes of values in use would change, and bytes that
/// were cut off could not be read at all.
enum MappedFile {
  /// Files with fewer bytes are read at once, because a mapping costs the system more.
  private static let smallest = 65_536
  /// The greatest number of mapped files. The system allows a process some 65,000 mappings, and memory allocation needs
  /// mappings, too.
  static let limit = 8192
  private static let count = Atomic<Int>(0)

  /// How many files are mapped now.
  static var mapped: Int { count.load(ordering: .relaxed) }

  /// The greatest number of bytes of a value, in a file or in a row: rows count bytes in 32 bits, and a sparse file that
  /// others put here must not take all memory.
  static let largest = Int(Int32.max)

  /// Reads a regular file in a folder.
  ///
  /// - Returns: the contents, and whether they are mapped and not in memory of the process's own.
  static func read(_ name: String, in folder: FolderHandle) throws(POSIXError) -> (data: Data, isMapped: Bool) {
    let file = try folder.openFile(name)
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw .last }
    let size = Int(status.st_size)
    guard size <= largest else { throw POSIXError(.EFBIG) }
    if size >= smallest, let data = map(file, size) { return (data, true) }
    return (try bytes(file, size).get(), false)
  }

  private static func map(_ file: Int32, _ size: Int) -> Data? {
    guard count.wrappingAdd(1, ordering: .relaxed).newValue <= limit,
      let bytes = mmap(nil, size, PROT_READ, MAP_PRIVATE, file, 0), bytes != MAP_FAILED
    else {
      count.wrappingSubtract(1, ordering: .relaxed)
      return nil
    }
    return Data(
      bytesNoCopy: bytes, count: size,
      deallocator: .custom { bytes, size in
        munmap(bytes, size)
        count.wrappingSubtract(1, ordering: .relaxed)
      })
  }

  /// Reads at most `size` bytes of an open file; fewer if the file ends before.
  static func bytes(_ file: Int32, _ size: Int) -> Result<Data, POSIXError> {
    var data = Data(count: size)
    var filled = 0
    while filled < size {
      let got = data.withUnsafeMutableBytes {
        pread(file, $0.baseAddress.map { $0 + filled }, size - filled, off_t(filled))
      }
      if got < 0, errno == EINTR { continue }
      if got < 0 { return .failure(.last) }
      if got == 0 { break }
      filled += got
    }
    return .success(filled == size ? data : data.prefix(filled))
  }

  /// Writes all bytes to an empty file; returns the system's error, or nil.
  static func fill(_ file: Int32, _ data: Data) -> POSIXError? {
    if data.count > largest { return POSIXError(.EFBIG) }
    return data.withUnsafeBytes { bytes in
      var done = 0
      while done < bytes.count {
        let count = pwrite(file, bytes.baseAddress.map { $0 + done }, bytes.count - done, off_t(done))
        if count < 0, errno != EINTR { return .last }
        done += max(count, 0)
      }
      return nil
    }
  }
}
