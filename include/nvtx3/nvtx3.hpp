/* NVTX's C++ interface: ranges, marks and what describes them. Without a tool attached they have no effect, as here
   (nvToolsExt.h). Source: NVTX C++ API reference. */
#ifndef WARPLENS_NVTX3_HPP
#define WARPLENS_NVTX3_HPP

#include <nvToolsExt.h>

#include <string>

#ifndef NVTX3_CPP_REQUIRE_EXPLICIT_VERSION
#define __WARPLENS_NVTX3_VERSION inline namespace
#else
#define __WARPLENS_NVTX3_VERSION namespace
#endif

namespace nvtx3 {
__WARPLENS_NVTX3_VERSION v1 {

struct rgb {
  using component_type = uint8_t;
  component_type red, green, blue;
  constexpr rgb(component_type red, component_type green, component_type blue) noexcept
      : red(red), green(green), blue(blue) {}
};
struct argb {
  using component_type = uint8_t;
  component_type alpha, red, green, blue;
  constexpr argb(component_type alpha, component_type red, component_type green, component_type blue) noexcept
      : alpha(alpha), red(red), green(green), blue(blue) {}
};

class color {
public:
  using value_type = uint32_t;
  constexpr explicit color(value_type code) noexcept : code(code) {}
  constexpr color(argb c) noexcept
      : code((value_type)c.alpha << 24 | (value_type)c.red << 16 | (value_type)c.green << 8 | c.blue) {}
  constexpr color(rgb c) noexcept : color(argb(0xff, c.red, c.green, c.blue)) {}
  constexpr value_type get_value() const noexcept { return code; }
  constexpr nvtxColorType_t get_type() const noexcept { return NVTX_COLOR_ARGB; }

private:
  value_type code;
};

class domain {
public:
  struct global {};
  template <class D = global>
  static const domain &get() noexcept {
    static const domain only{};
    return only;
  }
  operator nvtxDomainHandle_t() const noexcept { return nullptr; }
};

class category {
public:
  using id_type = uint32_t;
  constexpr explicit category(id_type id) noexcept : id(id) {}
  constexpr id_type get_id() const noexcept { return id; }

private:
  id_type id;
};
template <class D = domain::global>
class named_category_in final : public category {
public:
  /* `C`: a type with the members `name` and `id`. */
  template <class C>
  static const named_category_in &get() noexcept {
    static const named_category_in only(C::id, C::name);
    return only;
  }
  named_category_in(id_type id, const char *) noexcept : category(id) {}
  named_category_in(id_type id, const wchar_t *) noexcept : category(id) {}
};
using named_category = named_category_in<>;

template <class D = domain::global>
class registered_string_in {
public:
  /* `M`: a type with the member `message`. */
  template <class M>
  static const registered_string_in &get() noexcept {
    static const registered_string_in only(M::message);
    return only;
  }
  explicit registered_string_in(const char *) noexcept {}
  explicit registered_string_in(const wchar_t *) noexcept {}
  explicit registered_string_in(const std::string &) noexcept {}
  explicit registered_string_in(const std::wstring &) noexcept {}
  nvtxStringHandle_t get_handle() const noexcept { return nullptr; }
};
using registered_string = registered_string_in<>;

class message {
public:
  constexpr message(const char *text) noexcept : type(NVTX_MESSAGE_TYPE_ASCII), value{text} {}
  message(const std::string &text) noexcept : message(text.c_str()) {}
  message(const wchar_t *text) noexcept : type(NVTX_MESSAGE_TYPE_UNICODE) { value.unicode = text; }
  message(const std::wstring &text) noexcept : message(text.c_str()) {}
  template <class D>
  message(const registered_string_in<D> &text) noexcept : type(NVTX_MESSAGE_TYPE_REGISTERED) {
    value.registered = text.get_handle();
  }
  constexpr nvtxMessageType_t get_type() const noexcept { return type; }
  constexpr nvtxMessageValue_t get_value() const noexcept { return value; }

private:
  nvtxMessageType_t type;
  nvtxMessageValue_t value{};
};

class payload {
public:
  explicit payload(int64_t value) noexcept : type(NVTX_PAYLOAD_TYPE_INT64) { held.payload.llValue = value; }
  explicit payload(int32_t value) noexcept : type(NVTX_PAYLOAD_TYPE_INT32) { held.payload.iValue = value; }
  explicit payload(uint64_t value) noexcept : type(NVTX_PAYLOAD_TYPE_UNSIGNED_INT64) { held.payload.ullValue = value; }
  explicit payload(uint32_t value) noexcept : type(NVTX_PAYLOAD_TYPE_UNSIGNED_INT32) { held.payload.uiValue = value; }
  explicit payload(float value) noexcept : type(NVTX_PAYLOAD_TYPE_FLOAT) { held.payload.fValue = value; }
  explicit payload(double value) noexcept : type(NVTX_PAYLOAD_TYPE_DOUBLE) { held.payload.dValue = value; }
  nvtxPayloadType_t get_type() const noexcept { return type; }
  void fill(nvtxEventAttributes_t &event) const noexcept {
    event.payload = held.payload;
    event.payloadType = type;
  }

private:
  nvtxPayloadType_t type;
  nvtxEventAttributes_t held{};
};

/* Any of message, color, category and payload, in any order; of two of a kind the first counts. */
class event_attributes {
public:
  using value_type = nvtxEventAttributes_t;
  event_attributes() noexcept : event{} {
    event.version = NVTX_VERSION;
    event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  }
  template <class... Others>
  explicit event_attributes(const category &c, const Others &...others) noexcept : event_attributes(others...) {
    event.category = c.get_id();
  }
  template <class... Others>
  explicit event_attributes(const color &c, const Others &...others) noexcept : event_attributes(others...) {
    event.color = c.get_value();
    event.colorType = c.get_type();
  }
  template <class... Others>
  explicit event_attributes(const payload &p, const Others &...others) noexcept : event_attributes(others...) {
    p.fill(event);
  }
  template <class... Others>
  explicit event_attributes(const message &m, const Others &...others) noexcept : event_attributes(others...) {
    event.message = m.get_value();
    event.messageType = m.get_type();
  }
  const value_type *get() const noexcept { return &event; }

private:
  value_type event;
};

template <class D = domain::global>
class scoped_range_in {
public:
  explicit scoped_range_in(const event_attributes &) noexcept {}
  template <class... Args>
  explicit scoped_range_in(const Args &...args) noexcept : scoped_range_in(event_attributes(args...)) {}
  scoped_range_in() noexcept {}
  /* Not empty: no one tells that the variable is unused. */
  ~scoped_range_in() noexcept {}
  scoped_range_in(const scoped_range_in &) = delete;
  scoped_range_in &operator=(const scoped_range_in &) = delete;
  void *operator new(size_t) = delete;
};
using scoped_range = scoped_range_in<>;
template <class D = domain::global>
using domain_thread_range = scoped_range_in<D>;
using thread_range = scoped_range;

struct range_handle {
  using value_type = nvtxRangeId_t;
  constexpr explicit range_handle(value_type id) noexcept : id(id) {}
  constexpr range_handle() noexcept = default;
  constexpr explicit operator bool() const noexcept { return id != 0; }
  constexpr value_type get_value() const noexcept { return id; }
  constexpr bool operator==(range_handle other) const noexcept { return id == other.id; }
  constexpr bool operator!=(range_handle other) const noexcept { return id != other.id; }

private:
  value_type id = 0;
};
template <class D = domain::global>
range_handle start_range_in(const event_attributes &) noexcept {
  return range_handle();
}
template <class D = domain::global, class... Args>
range_handle start_range_in(const Args &...args) noexcept {
  return start_range_in<D>(event_attributes(args...));
}
template <class... Args>
range_handle start_range(const Args &...args) noexcept {
  return start_range_in<domain::global>(args...);
}
template <class D = domain::global>
void end_range_in(range_handle) noexcept {}
inline void end_range(range_handle) noexcept {}

template <class D = domain::global>
class unique_range_in {
public:
  template <class... Args>
  explicit unique_range_in(const Args &...args) noexcept : handle(start_range_in<D>(args...)) {}
  unique_range_in(unique_range_in &&) noexcept = default;
  unique_range_in &operator=(unique_range_in &&) noexcept = default;
  unique_range_in(const unique_range_in &) = delete;
  unique_range_in &operator=(const unique_range_in &) = delete;
  ~unique_range_in() noexcept {}

private:
  range_handle handle;
};
using unique_range = unique_range_in<>;

template <class D = domain::global>
void mark_in(const event_attributes &) noexcept {}
template <class D = domain::global, class... Args>
void mark_in(const Args &...args) noexcept {
  mark_in<D>(event_attributes(args...));
}
template <class... Args>
void mark(const Args &...args) noexcept {
  mark_in<domain::global>(args...);
}

} // namespace v1
} // namespace nvtx3

#define NVTX3_V1_FUNC_RANGE_IN(D) const ::nvtx3::v1::scoped_range_in<D> nvtx3_func_range__(__func__)
#define NVTX3_V1_FUNC_RANGE_IF_IN(D, condition)                                                                              \
  const ::nvtx3::v1::scoped_range_in<D> nvtx3_func_range__((condition) ? __func__ : "")
#define NVTX3_V1_FUNC_RANGE() NVTX3_V1_FUNC_RANGE_IN(::nvtx3::v1::domain::global)
#define NVTX3_V1_FUNC_RANGE_IF(condition) NVTX3_V1_FUNC_RANGE_IF_IN(::nvtx3::v1::domain::global, condition)
#define NVTX3_FUNC_RANGE NVTX3_V1_FUNC_RANGE
#define NVTX3_FUNC_RANGE_IN NVTX3_V1_FUNC_RANGE_IN
#define NVTX3_FUNC_RANGE_IF NVTX3_V1_FUNC_RANGE_IF
#define NVTX3_FUNC_RANGE_IF_IN NVTX3_V1_FUNC_RANGE_IF_IN

#endif
