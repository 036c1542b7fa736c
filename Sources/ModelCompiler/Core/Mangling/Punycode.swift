/// RFC 3492 in the variant of symbols: the delimiter is an underscore, and the digits are a to z and A to J.
package enum Punycode {
  package static func encode(_ text: String) -> String {
    let scalars = text.unicodeScalars.map { mapped($0.value) }
    var output = scalars.filter { $0 < 0x80 }.map { UInt8($0) }
    let basicCount = output.count
    if basicCount > 0 { output.append(UInt8(ascii: "_")) }
    var handled = basicCount
    var next: UInt32 = 0x80
    var delta = 0
    var bias = 72
    while handled < scalars.count {
      guard let smallest = scalars.filter({ $0 >= next }).min() else { break }
      delta += Int(smallest - next) * (handled + 1)
      next = smallest
      for scalar in scalars {
        if scalar < next { delta += 1 }
        guard scalar == next else { continue }
        write(delta, bias: bias, to: &output)
        bias = adapted(delta, count: handled + 1, isFirst: handled == basicCount)
        delta = 0
        handled += 1
      }
      delta += 1
      next += 1
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// Maps ASCII characters that a symbol cannot contain to unused code points.
  private static func mapped(_ value: UInt32) -> UInt32 {
    value < 0x80 && !Lexer.isIdentifier(UInt8(value)) ? value + 0xD800 : value
  }

  private static func write(_ delta: Int, bias: Int, to output: inout [UInt8]) {
    var rest = delta
    var position = 36
    while true {
      let threshold = position <= bias ? 1 : min(position - bias, 26)
      if rest < threshold { break }
      output.append(digit(threshold + (rest - threshold) % (36 - threshold)))
      rest = (rest - threshold) / (36 - threshold)
      position += 36
    }
    output.append(digit(rest))
  }

  private static func digit(_ value: Int) -> UInt8 {
    value < 26 ? UInt8(ascii: "a") + UInt8(value) : UInt8(ascii: "A") + UInt8(value - 26)
  }

  private static func adapted(_ delta: Int, count: Int, isFirst: Bool) -> Int {
    var rest = delta / (isFirst ? 700 : 2)
    rest += rest / count
    var position = 0
    while rest > (36 - 1) * 26 / 2 {
      rest /= 36 - 1
      position += 36
    }
    return position + 36 * rest / (rest + 38)
  }
}
