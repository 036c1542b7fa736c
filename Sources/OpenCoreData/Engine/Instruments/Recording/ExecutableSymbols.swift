import Foundation

/// The names of the functions of an ELF file of 64 bits, by address. They come from the symbol table for debuggers or, if that
/// was stripped, from the one for linking.
struct ExecutableSymbols {
  private struct Symbol {
    let start: UInt
    let size: UInt
    /// The position of the name in the file.
    let name: Int
  }

  private let data: Data
  private var symbols: [Symbol] = []

  /// Nil for a file that is no 64-bit executable, or that has no symbols.
  init?(path: String) {
    guard let data = try? Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped), data.count > 64 else {
      return nil
    }
    self.data = data
    guard data.prefix(6).elementsEqual([0x7f, 0x45, 0x4c, 0x46, 2, 1]) else { return nil }  // 64 bits, little-endian
    let sections = Int(word(at: 40)), size = Int(half(at: 58)), count = Int(half(at: 60))
    guard size >= 64 else { return nil }
    for wanted in [2, 11] where symbols.isEmpty {  // SHT_SYMTAB, SHT_DYNSYM
      for index in 0..<count where Int(number(at: sections + index * size + 4)) == wanted {
        let strings = sections + Int(number(at: sections + index * size + 40)) * size
        read(
          at: Int(truncatingIfNeeded: word(at: sections + index * size + 24)),
          length: Int(truncatingIfNeeded: word(at: sections + index * size + 32)),
          names: Int(truncatingIfNeeded: word(at: strings + 24)))
      }
    }
    if symbols.isEmpty { return nil }
    symbols.sort { $0.start < $1.start }
  }

  private mutating func read(at start: Int, length: Int, names: Int) {
    guard start > 0, length > 0, start <= data.count, length <= data.count - start else { return }
    for place in stride(from: start, to: start + length - 23, by: 24) {
      let isFunction = data[place + 4] & 0xf == 2
      let address = word(at: place + 8)
      if isFunction, address != 0 {
        symbols.append(
          Symbol(start: UInt(address), size: UInt(word(at: place + 16)), name: names + Int(number(at: place))))
      }
    }
  }

  /// Returns the name of the function that contains an address of the file.
  func name(at address: UInt) -> String? {
    var low = 0, high = symbols.count
    while low < high {
      let middle = (low + high) / 2
      if symbols[middle].start <= address { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return nil }
    let symbol = symbols[low - 1]
    guard address - symbol.start < max(symbol.size, 1), symbol.name > 0, symbol.name < data.count else { return nil }
    return String(decoding: data[symbol.name...].prefix { $0 != 0 }, as: UTF8.self)
  }

  // MARK: Numbers in the file; 0 if the file ends before the number

  private func word(at place: Int) -> UInt64 { load(place, UInt64.self) }
  private func number(at place: Int) -> UInt32 { load(place, UInt32.self) }
  private func half(at place: Int) -> UInt16 { load(place, UInt16.self) }

  private func load<Number: FixedWidthInteger>(_ place: Int, _: Number.Type) -> Number {
    guard place >= 0, place <= data.count - MemoryLayout<Number>.size else { return 0 }
    return data.withUnsafeBytes { Number(littleEndian: $0.loadUnaligned(fromByteOffset: place, as: Number.self)) }
  }
}
