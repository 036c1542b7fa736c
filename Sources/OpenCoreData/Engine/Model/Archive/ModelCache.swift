import CZlib
import Foundation
import OpenCocoaFoundation

/// The content of a store's Z_MODELCACHE: the model as a keyed archive, in raw DEFLATE.
package enum ModelCache {
  /// The largest size in bytes that a cache may have when it is unpacked. The largest seen has 27 kB.
  private static let limit = 64 << 20

  /// Returns the cache of a model.
  package static func encode(_ model: NSManagedObjectModel) throws -> Data {
    try deflated(ModelEncoder.encode(model, as: .cache))
  }

  /// Returns the model that a cache holds.
  /// - Throws: an NSError of NSCocoaErrorDomain: 259 if the cache is damaged, 134020 if the model contradicts itself.
  package static func decode(_ data: Data) throws -> NSManagedObjectModel {
    let model = NSManagedObjectModel()
    try decode(data, into: model)
    return model
  }

  /// Reads a cache into a model that is empty.
  /// - Throws: as `decode(_:)`.
  package static func decode(_ data: Data, into model: NSManagedObjectModel) throws {
    let place = URL(fileURLWithPath: "Z_MODELCACHE")
    do {
      try ModelDecoder.decode(inflated(data), into: model)
    } catch let problem as ArchiveProblem {
      throw ModelProblem.unreadable(problem.reason).error(file: place)
    } catch let problem as ModelProblem {
      throw problem.error(file: place)
    }
  }

  /// Negative window bits stand for DEFLATE without header and checksum.
  private static let windowBits: Int32 = -15

  private static func deflated(_ data: Data) throws -> Data {
    var stream = z_stream()
    guard
      deflateInit2_(
        &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
        Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { throw ArchiveProblem("The model cache cannot be compressed.") }
    defer { deflateEnd(&stream) }
    var input = [UInt8](data)
    var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, uLong(input.count))))
    let status = input.withUnsafeMutableBufferPointer { source in
      output.withUnsafeMutableBufferPointer { target in
        stream.next_in = source.baseAddress
        stream.avail_in = UInt32(source.count)
        stream.next_out = target.baseAddress
        stream.avail_out = UInt32(target.count)
        return deflate(&stream, Z_FINISH)
      }
    }
    guard status == Z_STREAM_END else { throw ArchiveProblem("The model cache cannot be compressed.") }
    return Data(output.prefix(Int(stream.total_out)))
  }

  private static func inflated(_ data: Data) throws -> Data {
    var stream = z_stream()
    guard inflateInit2_(&stream, windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
      throw ArchiveProblem("The model cache cannot be unpacked.")
    }
    defer { inflateEnd(&stream) }
    var input = [UInt8](data)
    var result = Data()
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    try input.withUnsafeMutableBufferPointer { source in
      stream.next_in = source.baseAddress
      stream.avail_in = UInt32(source.count)
      var status = Z_OK
      while status != Z_STREAM_END {
        let produced = chunk.withUnsafeMutableBufferPointer { target -> Int in
          stream.next_out = target.baseAddress
          stream.avail_out = UInt32(target.count)
          status = inflate(&stream, Z_NO_FLUSH)
          return target.count - Int(stream.avail_out)
        }
        result.append(contentsOf: chunk.prefix(produced))
        guard status == Z_STREAM_END || (status == Z_OK && (produced > 0 || stream.avail_in > 0)),
          result.count <= limit
        else { throw ArchiveProblem("The model cache is damaged.") }
      }
    }
    return result
  }
}
