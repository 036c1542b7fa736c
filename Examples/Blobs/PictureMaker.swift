import ExampleSupport
import Foundation

/// Makes pictures, which are always the same for the same number: bitmaps of coloured waves, of very different sizes.
struct PictureMaker: Sendable {
  /// About how many bytes the smallest picture has, and the largest.
  let sizes: ClosedRange<Int>

  /// The bytes of a picture: a file in the format BMP.
  func picture(_ number: Int) -> Data {
    let height = height(of: number)
    return Self.bitmap(number, width: height * 4 / 3, height: height)
  }

  /// The number of bytes of a picture.
  func size(of number: Int) -> Int {
    let height = height(of: number)
    return Self.layout(width: height * 4 / 3, height: height).size
  }

  private func height(of number: Int) -> Int {
    // Each factor of size is as likely as another: many small pictures, some large ones.
    var random = SeededGenerator(seed: number)
    let factor = Double.random(in: 0...1, using: &random)
    let bytes = Double(sizes.lowerBound) * pow(Double(sizes.upperBound) / Double(sizes.lowerBound), factor)
    return max(4, Int((bytes / 4).squareRoot()))
  }

  /// The bytes of a small picture for a list: 48 by 36 points, 5 kB.
  static func thumbnail(_ number: Int) -> Data { bitmap(number, width: 48, height: 36) }

  static func title(_ number: Int) -> String {
    var random = SeededGenerator(seed: number ^ 0x7117)
    return ["Waves", "Dunes", "Dusk", "Harbour", "Strand"].randomElement(using: &random).map { "\($0) \(number)" } ?? ""
  }

  static func date(_ number: Int) -> Date {
    var random = SeededGenerator(seed: number ^ 0xDA7E)
    return Date(timeIntervalSinceReferenceDate: Double(Int.random(in: 0..<700_000_000, using: &random)))
  }

  /// The bytes that fill up each line to a multiple of four, and the size of the whole.
  private static func layout(width: Int, height: Int) -> (padding: Int, size: Int) {
    let padding = (4 - width * 3 % 4) % 4
    return (padding, 54 + (width * 3 + padding) * height)
  }

  /// Waves of three colours. Each line is the one before, moved by one point.
  private static func bitmap(_ number: Int, width: Int, height: Int) -> Data {
    let points = width + height
    var wave: [UInt8] = []
    wave.reserveCapacity(points * 3)
    for point in 0..<points {
      let angle = Double(point) / Double(width) * .pi
      for colour in 0..<3 {
        let value = sin(angle * Double(2 + (number + colour) % 5) + Double(number % 7 + colour))
        wave.append(UInt8(127.5 + 127 * value))
      }
    }
    let (padding, size) = layout(width: width, height: height)
    var data = Data(capacity: size)
    data.append(contentsOf: Array("BM".utf8))
    for field in [size, 0, 54, 40, width, height, 1 | 24 << 16, 0, size - 54, 2835, 2835, 0, 0] {
      withUnsafeBytes(of: UInt32(field).littleEndian) { data.append(contentsOf: $0) }
    }
    for line in 0..<height {
      data.append(contentsOf: wave[line * 3..<(line + width) * 3])
      data.append(contentsOf: repeatElement(0, count: padding))
    }
    return data
  }
}
