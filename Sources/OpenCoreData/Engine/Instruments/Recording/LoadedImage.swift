import CRuntime
import Foundation

/// The program's executable or one of its libraries as it is loaded: the addresses of its code, and the state of its
/// file when it was loaded.
struct LoadedImage: Hashable {
  let start: UInt
  let end: UInt
  /// The load address: the number to add to addresses in the file.
  let base: UInt
  let path: String
  let size: Int
  /// The time when the file was last changed, in seconds since 1970.
  let modified: Int

  init(start: UInt, end: UInt, base: UInt, path: String, size: Int, modified: Int) {
    (self.start, self.end, self.base, self.path) = (start, end, base, path)
    (self.size, self.modified) = (size, modified)
  }

  /// Returns the images that are loaded in this process.
  static func all() -> [LoadedImage] {
    var images: [LoadedImage] = []
    withUnsafeMutablePointer(to: &images) { images in
      runtime_images(
        { info, path, start, end, base in
          guard let info else { return }
          var path = String(cString: path)
          // The system gives no name for the program itself.
          if path.isEmpty {
            path = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
          }
          let (size, modified) = LoadedImage.stamp(of: path)
          info.assumingMemoryBound(to: [LoadedImage].self).pointee.append(
            LoadedImage(
              start: UInt(start), end: UInt(end), base: UInt(base), path: path, size: size, modified: modified))
        }, images)
    }
    return images
  }

  private static func stamp(of path: String) -> (size: Int, modified: Int) {
    var facts = stat()
    guard stat(path, &facts) == 0 else { return (0, 0) }
    return (Int(facts.st_size), Int(facts.st_mtim.tv_sec))
  }

  /// Whether the image's file is still the one that was loaded.
  var isUnchanged: Bool {
    let (size, modified) = Self.stamp(of: path)
    return size > 0 && size == self.size && modified == self.modified
  }

  /// Returns the mangled names of the functions that contain the return addresses, as far as the files have them.
  static func symbols(of addresses: some Collection<UInt>, in images: [LoadedImage]) -> [UInt: String] {
    var result: [UInt: String] = [:]
    for image in images where image.isUnchanged {
      let own = addresses.filter { image.start <= $0 && $0 < image.end }
      guard !own.isEmpty, let symbols = ExecutableSymbols(path: image.path) else { continue }
      // A call that never returns may be the last instruction of its function, so the byte before the address is looked up.
      for address in own { result[address] = symbols.name(at: address - image.base - 1) }
    }
    return result
  }
}
